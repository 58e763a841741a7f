/**
 * The Python program that runs the source of a code node. It reads `/data`, and writes one JSON object to
 * `/data/result`: `{"value": …}` or `{"error": {name, message, line}}`. The source becomes the body of a function, so
 * it can return its result.
 */
export const PYTHON_PROGRAM = `
import ast, json, sys

def read(name):
    with open('/data/' + name, encoding='utf-8') as file:
        return file.read()

def plain(value):
    if isinstance(value, (set, frozenset)):
        return list(value)
    if hasattr(value, 'isoformat'):
        return value.isoformat()
    raise TypeError(f'A value of the type {type(value).__name__} can not be an output.')

def result_of(source):
    tree = ast.parse(source, 'code')
    module = ast.parse('def main(input, nodes, execution): pass')
    module.body[0].body = tree.body or [ast.Pass()]
    scope = {'__name__': '__main__', 'vars': json.loads(read('vars'))}
    ast.fix_missing_locations(module)
    exec(compile(module, 'code', 'exec'), scope)
    parts = [json.loads(read(name)) for name in ('input', 'nodes', 'execution')]
    return json.dumps(scope['main'](*parts), default=plain, allow_nan=False)

def error_of(error):
    line = getattr(error, 'lineno', None) if isinstance(error, SyntaxError) else None
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == 'code':
            line = step.tb_lineno
        step = step.tb_next
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return json.dumps({'name': type(error).__name__, 'message': message, 'line': line})

try:
    text = '{"value":' + result_of(read('source')) + '}'
except Exception as error:
    text = '{"error":' + error_of(error) + '}'
sys.stdout.flush()
sys.stderr.flush()
# No flag that creates a file: the folder refuses it.
with open('/data/result', 'r+b', buffering=0) as file:
    file.write(text.encode('utf-8', 'backslashreplace'))
`;
