// The supervisor of any program: its arguments are those of Node that start it.
import { Supervisor } from '@/server/boot/supervisor';

new Supervisor(process.argv.slice(2)).start();
