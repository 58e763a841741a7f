import { callbackPage } from '@/server/connectors/callback-page';

export const GET = () => callbackPage();
