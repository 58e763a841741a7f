// The program of the worker: it answers messages of ELK.
import 'elkjs/lib/elk-worker.min.js';
