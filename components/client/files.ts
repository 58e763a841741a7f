import type { FileValue } from '@/contract/file-value';
import { requestService } from './service-request';

const fileContentUrl = ({ $file }: FileValue) => `/api/files/${encodeURIComponent($file)}`;

/** The content of a file, with the session of this browser. */
export const fetchFileContent = async (file: FileValue): Promise<Blob> =>
  (await requestService(fileContentUrl(file))).blob();

/** Stores a file of this computer, and returns the value that names it. */
export async function uploadFile(file: File): Promise<FileValue> {
  const form = new FormData();
  form.append('file', file);
  const answer = await requestService('/api/files', { method: 'POST', body: form });
  const { $file, name, contentType, size, sha256 } = (await answer.json()) as FileValue;
  return { $file, name, contentType, size, sha256 };
}

/** Hands content to the browser as a download. */
export function saveBlobAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Sends a CSV file to an endpoint that imports it, and returns the parsed response. */
export async function uploadCsvFile<Answer>(path: string, file: File): Promise<Answer> {
  const answer = await requestService(path, { method: 'POST', body: file, headers: { 'content-type': 'text/csv' } });
  return (await answer.json()) as Answer;
}
