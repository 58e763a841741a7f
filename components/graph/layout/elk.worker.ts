// The script of the web worker: importing it makes the worker respond to messages of ELK.
import 'elkjs/lib/elk-worker.min.js';
