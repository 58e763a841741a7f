/** What is wrong with a field as one sentence: `URL is required`, or `URL: this host does not exist`. */
export const fieldIssueSentence = (label: string, message: string): string =>
  /^(is|are|was|must|may|can|cannot|has|have|does|needs)\b/.test(message)
    ? `${label} ${message}`
    : `${label}: ${message}`;
