/** How long the canvas takes to move, in milliseconds: not at all for people who asked their system for less motion. */
export const glide = (ms: number): { duration: number } => ({
  duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms,
});
