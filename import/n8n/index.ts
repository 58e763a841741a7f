// The exports that the command line uses.
export { importN8n } from './convert';
export { isN8n } from './file';
