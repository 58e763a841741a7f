import type { FileValue } from '@/contract/file-value';

/** Images that cannot hold scripts. */
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const TEXT = /^(text\/|application\/(json|xml|x-ndjson|yaml)(;|$))/;

const MIB = 1024 * 1024;

/** How a file can be shown beside its facts; undefined: it cannot, or it is too large for that. */
export function previewOf({ contentType, size }: FileValue): 'image' | 'text' | undefined {
  if (IMAGE.test(contentType) && size <= 10 * MIB) return 'image';
  return TEXT.test(contentType) && size <= MIB ? 'text' : undefined;
}
