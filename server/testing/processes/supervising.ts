// The supervisor of any program: its arguments are those of Node that start it.
import { ServiceSupervisor } from '@/server/operate/boot/supervisor';

new ServiceSupervisor(process.argv.slice(2)).start();
