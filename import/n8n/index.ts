// The exports that the command line uses.
export { addCalledWorkflow, findNamesakes, sortByCalls } from './called-workflows';
export { listN8nWorkflows, planN8nImport } from './plan';
