import { route } from '@/server/api/rest';

export const { GET, POST, PUT, DELETE, PATCH, OPTIONS } = route('/auth/oauth2_callback');
