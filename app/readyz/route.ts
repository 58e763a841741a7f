export { serveApiRequest as GET } from '@/server/api/http/web-services';
