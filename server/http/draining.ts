/** Whether this process is about to stop. Probes report it as not ready, so that balancers send nothing more. */
let isDraining = false;

export const beginDraining = (): void => {
  isDraining = true;
};

export const isProcessDraining = (): boolean => isDraining;
