// The exports that the command line uses.
export { listN8nWorkflows, planN8nImport } from './plan';
