import { pagedListCall, sameParametersCall, serviceConverter } from './service';

export const convertClickUp = serviceConverter({
  connector: 'clickup',
  name: 'ClickUp',
  resource: 'task',
  operation: { task: 'create', comment: 'create' },
  calls: {
    'task.create': (read) => ({
      operation: 'tasks.create',
      parameters: {
        list: read.text('list'),
        name: read.text('name'),
        description: read.text('additionalFields.content'),
        status: read.text('additionalFields.status'),
        priority: read.value('additionalFields.priority'),
      },
    }),
    'task.get': sameParametersCall('tasks.get', { task: 'id' }),
    'task.delete': sameParametersCall('tasks.delete', { task: 'id' }),
    'task.update': sameParametersCall('tasks.update', {
      task: 'id',
      name: 'updateFields.name',
      description: 'updateFields.content',
      status: 'updateFields.status',
      priority: 'updateFields.priority',
    }),
    'task.getAll': pagedListCall('tasks.list', 'tasks', { list: 'list' }),
    'comment.create': (read) => ({
      operation: 'comments.create',
      parameters: { task: read.text('id'), text: read.text('commentText'), notifies: false },
    }),
  },
});

export const convertTrello = serviceConverter({
  connector: 'trello',
  name: 'Trello',
  resource: 'card',
  operation: { card: 'create', cardComment: 'create', list: 'getAll', board: 'get' },
  calls: {
    'card.create': sameParametersCall('cards.create', {
      listId: 'listId',
      name: 'name',
      description: 'description',
      due: 'additionalFields.due',
    }),
    'card.get': sameParametersCall('cards.get', { cardId: 'id' }),
    'card.update': sameParametersCall('cards.update', {
      cardId: 'id',
      listId: 'updateFields.idList',
      name: 'updateFields.name',
      description: 'updateFields.description',
      isArchived: 'updateFields.closed',
    }),
    'cardComment.create': sameParametersCall('comments.create', { cardId: 'cardId', text: 'text' }),
    'list.getCards': (read) => ({ operation: 'cards.list', parameters: { listId: read.text('id') }, isList: true }),
    'list.getAll': (read) => ({ operation: 'lists.list', parameters: { boardId: read.text('id') }, isList: true }),
    'board.get': sameParametersCall('boards.get', { boardId: 'id' }),
  },
});

export const convertAsana = serviceConverter({
  connector: 'asana',
  name: 'Asana',
  resource: 'task',
  operation: { task: 'create', taskComment: 'add' },
  calls: {
    'task.create': (read) => {
      const projects = read.list('otherProperties.projects');
      if (projects === undefined) read.addTodo('Enter the project of its tasks.');
      return {
        operation: 'tasks.create',
        parameters: {
          name: read.text('name'),
          projects,
          notes: read.text('otherProperties.notes'),
          assignee: read.text('otherProperties.assignee'),
          due: read.text('otherProperties.due_on'),
        },
        path: '.body.data',
      };
    },
    'task.get': (read) => ({ operation: 'tasks.get', parameters: { task: read.text('id') }, path: '.body.data' }),
    'task.delete': sameParametersCall('tasks.delete', { task: 'id' }),
    'task.getAll': pagedListCall('tasks.list', 'data', { project: 'filters.project' }),
    'taskComment.add': sameParametersCall('comments.create', { task: 'id', text: 'text' }),
  },
});

export const convertMondayCom = serviceConverter({
  connector: 'monday',
  name: 'monday.com',
  resource: 'boardItem',
  operation: { boardItem: 'create', board: 'getAll' },
  calls: {
    'boardItem.create': (read) => ({
      operation: 'items.create',
      parameters: {
        board: read.text('boardId'),
        name: read.text('name'),
        group: read.text('groupId'),
        values: read.json('additionalFields.columnValues'),
      },
    }),
    'boardItem.get': sameParametersCall('items.get', { item: 'itemId' }),
    'boardItem.getAll': (read) => ({
      operation: 'items.list',
      parameters: { board: read.text('boardId'), limit: read.isSet('returnAll') ? undefined : read.value('limit') },
      isList: true,
    }),
    'boardItem.delete': sameParametersCall('items.delete', { item: 'itemId' }),
    'boardItem.addUpdate': sameParametersCall('updates.create', { item: 'itemId', text: 'value' }),
  },
});
