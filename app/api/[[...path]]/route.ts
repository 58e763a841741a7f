export {
  serveApiRequest as GET,
  serveApiRequest as POST,
  serveApiRequest as PUT,
  serveApiRequest as PATCH,
  serveApiRequest as DELETE,
  serveApiRequest as OPTIONS,
} from '@/server/api/http/web-services';
