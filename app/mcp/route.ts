export { serve as GET, serve as POST, serve as DELETE, serve as OPTIONS } from '@/server/http/web-services';
