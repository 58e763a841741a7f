export { serveApiRequest as GET, serveApiRequest as POST } from '@/server/api/http/web-services';
