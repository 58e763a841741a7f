/** `1 item`, `1,000 items`. */
export const formatItemCount = (count: number): string =>
  count === 1 ? '1 item' : `${count.toLocaleString('en')} items`;
