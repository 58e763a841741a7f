// The exports that the command line uses.
export { isN8n } from './file';
export { listN8nWorkflows, planN8nImport } from './plan';
