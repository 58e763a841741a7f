export { openApiJson as GET } from '@/server/api/description';
