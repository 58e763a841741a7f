import { pagedListCall, sameParametersCall, serviceConverter, type ParameterReader } from './service';

const wordpressPost = (read: ParameterReader, fields: string) => ({
  title: read.text('title', `${fields}.title`),
  status: read.text(`${fields}.status`),
  content: read.text(`${fields}.content`),
  slug: read.text(`${fields}.slug`),
});

export const convertWordpress = serviceConverter({
  connector: 'wordpress',
  name: 'WordPress',
  resource: 'post',
  operation: { post: 'create', page: 'create' },
  calls: {
    'post.create': (read) => ({ operation: 'posts.create', parameters: wordpressPost(read, 'additionalFields') }),
    'post.update': (read) => ({
      operation: 'posts.update',
      parameters: { post: read.value('postId'), ...wordpressPost(read, 'updateFields') },
    }),
    'post.get': sameParametersCall('posts.get', { post: 'postId' }),
    'post.delete': sameParametersCall('posts.delete', { post: 'postId', isForced: 'options.force' }),
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

export const convertSendGrid = serviceConverter({
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
    'list.getAll': pagedListCall('lists.list', 'result'),
  },
});

export const convertDropbox = serviceConverter({
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
    'file.download': (read) => ({ operation: 'files.download', parameters: { path: read.text('path') } }),
    'file.delete': sameParametersCall('files.delete', { path: 'path' }),
    'file.move': sameParametersCall('files.move', { from: 'path', to: 'toPath' }),
    'folder.create': sameParametersCall('folders.create', { path: 'path' }),
    'folder.delete': sameParametersCall('files.delete', { path: 'path' }),
    'folder.list': (read) => ({
      operation: 'files.list',
      parameters: { path: read.text('path'), limit: read.isSet('returnAll') ? undefined : read.value('limit') },
      isList: true,
    }),
  },
});

export const convertWooCommerce = serviceConverter({
  connector: 'woocommerce',
  name: 'WooCommerce',
  resource: 'product',
  operation: { product: 'create', order: 'create', customer: 'create' },
  calls: {
    'product.create': sameParametersCall('products.create', {
      name: 'name',
      price: 'additionalFields.regularPrice',
      description: 'additionalFields.description',
      sku: 'additionalFields.sku',
    }),
    'product.getAll': pagedListCall('products.list', '', { search: 'options.search', sku: 'options.sku' }),
    'order.get': sameParametersCall('orders.get', { order: 'orderId' }),
    'order.getAll': pagedListCall('orders.list', '', { status: 'options.status' }),
    'order.update': sameParametersCall('orders.update', { order: 'orderId', status: 'updateFields.status' }),
    'customer.getAll': pagedListCall('customers.list', '', { email: 'filters.email', search: 'filters.search' }),
  },
});

export const convertMailchimp = serviceConverter({
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
    'member.get': sameParametersCall('members.get', { list: 'list', email: 'email' }),
    'member.getAll': pagedListCall('members.list', 'members', { list: 'list' }),
  },
});
