/** Duration of a canvas animation in milliseconds; 0 with `prefers-reduced-motion`. */
export const canvasAnimation = (ms: number): { duration: number } => ({
  duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms,
});
