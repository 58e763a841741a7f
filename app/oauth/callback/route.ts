import { callbackPage } from '@/server/api/oauth-callback';

export const GET = () => callbackPage();
