/** Whether this process is about to stop. Probes report it as not ready, so that balancers send nothing more. */
let isProcessStopping = false;

export const beginDraining = (): void => {
  isProcessStopping = true;
};

export const isProcessDraining = (): boolean => isProcessStopping;
