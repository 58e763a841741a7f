import { listed, same, service, type Reader } from './service';

const postOf = (read: Reader, fields: string) => ({
  title: read.text('title', `${fields}.title`),
  status: read.text(`${fields}.status`),
  content: read.text(`${fields}.content`),
  slug: read.text(`${fields}.slug`),
});

export const wordpress = service({
  connector: 'wordpress',
  name: 'WordPress',
  resource: 'post',
  operation: { post: 'create', page: 'create' },
  calls: {
    'post.create': (read) => ({ operation: 'posts.create', parameters: postOf(read, 'additionalFields') }),
    'post.update': (read) => ({
      operation: 'posts.update',
      parameters: { post: read.value('postId'), ...postOf(read, 'updateFields') },
    }),
    'post.get': same('posts.get', { post: 'postId' }),
    'post.delete': same('posts.delete', { post: 'postId', isForced: 'options.force' }),
    'post.getAll': (read) => {
      const { parameters, ...rest } = read.pages('');
      const search = read.text('options.search');
      return { ...rest, operation: 'posts.list', parameters: { search, ...parameters } };
    },
    'page.create': (read) => ({
      operation: 'pages.create',
      parameters: {
        title: read.text('title') ?? '',
        status: read.text('additionalFields.status'),
        content: read.text('additionalFields.content'),
      },
    }),
  },
});

export const sendGrid = service({
  connector: 'sendgrid',
  name: 'SendGrid',
  resource: 'list',
  operation: { mail: 'send', contact: 'upsert', list: 'getAll' },
  calls: {
    'mail.send': (read) => {
      const content = read.text('contentValue') ?? '';
      return {
        operation: 'mails.send',
        parameters: {
          to: read.list('toEmail'),
          from: read.text('fromEmail'),
          subject: read.text('subject'),
          ...(read.get('contentType') === 'text/html' ? { html: content } : { text: content }),
        },
      };
    },
    'contact.upsert': (read) => ({
      operation: 'contacts.upsert',
      parameters: {
        contacts: [
          {
            email: read.text('email'),
            first_name: read.text('additionalFields.firstName'),
            last_name: read.text('additionalFields.lastName'),
          },
        ],
      },
    }),
    'list.getAll': listed('lists.list', 'result'),
  },
});

export const dropbox = service({
  connector: 'dropbox',
  name: 'Dropbox',
  resource: 'file',
  operation: { file: 'upload', folder: 'create' },
  calls: {
    'file.upload': (read) => ({
      operation: 'files.upload',
      parameters: {
        file: read.file(),
        path: read.text('path'),
        mode: read.isSet('overwrite') ? 'overwrite' : undefined,
      },
    }),
    'file.download': (read) => {
      read.conversion.say('Its output is the value of the file.');
      return { operation: 'files.download', parameters: { path: read.text('path') } };
    },
    'file.delete': same('files.delete', { path: 'path' }),
    'file.move': same('files.move', { from: 'path', to: 'toPath' }),
    'folder.create': same('folders.create', { path: 'path' }),
    'folder.delete': same('files.delete', { path: 'path' }),
    'folder.list': (read) => ({
      operation: 'files.list',
      parameters: { path: read.text('path'), limit: read.isSet('returnAll') ? undefined : read.value('limit') },
      isList: true,
    }),
  },
});

export const wooCommerce = service({
  connector: 'woocommerce',
  name: 'WooCommerce',
  resource: 'product',
  operation: { product: 'create', order: 'create', customer: 'create' },
  calls: {
    'product.create': same('products.create', {
      name: 'name',
      price: 'additionalFields.regularPrice',
      description: 'additionalFields.description',
      sku: 'additionalFields.sku',
    }),
    'product.getAll': listed('products.list', '', { search: 'options.search', sku: 'options.sku' }),
    'order.get': same('orders.get', { order: 'orderId' }),
    'order.getAll': listed('orders.list', '', { status: 'options.status' }),
    'order.update': same('orders.update', { order: 'orderId', status: 'updateFields.status' }),
    'customer.getAll': listed('customers.list', '', { email: 'filters.email', search: 'filters.search' }),
  },
});

export const mailchimp = service({
  connector: 'mailchimp',
  name: 'Mailchimp',
  resource: 'member',
  operation: { member: 'create' },
  calls: {
    'member.create': (read) => ({
      operation: 'members.upsert',
      parameters: {
        list: read.text('list'),
        email: read.text('email'),
        status: read.text('status'),
        fields: read.pairs('mergeFieldsUi.mergeFieldsValues', 'name', 'value'),
        tags: read.list('options.tags'),
      },
    }),
    'member.get': same('members.get', { list: 'list', email: 'email' }),
    'member.getAll': listed('members.list', 'members', { list: 'list' }),
  },
});
