import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import {isJsonObject, type JsonObject} from '../../../src/text/json.ts';

/** A message between a client and an agent. */
export interface WireMessage {
  readonly from: 'client' | 'agent';
  readonly message: JsonObject;
}

interface Definition {
  readonly 'x-side'?: string;
  readonly 'x-method'?: string;
}

const SDK = new URL('../../../node_modules/@agentclientprotocol/sdk/', import.meta.url);

function schemaOf(version: 1 | 2) {
  const file = fileURLToPath(new URL(`schema/v${version}/schema.unstable.json`, SDK));
  return JSON.parse(readFileSync(file, 'utf8')) as {readonly $defs: Readonly<Record<string, Definition>>};
}

/** Returns what the SDK's schema of a version says against a message. */
function checkOf(version: 1 | 2) {
  const schema = schemaOf(version);
  const ajv = new Ajv2020({strict: false, allErrors: true});
  ajvFormats.default(ajv, ['uri', 'date-time', 'regex']);
  for (const format of ['uint16', 'uint32', 'uint64', 'int32', 'int64', 'double'])
    ajv.addFormat(format, true);
  ajv.addSchema(schema, 'acp');
  const names = new Map<string, string>();
  for (const [name, {'x-method': method}] of Object.entries(schema.$defs))
    if (method !== undefined) names.set(`${method} ${name.endsWith('Response') ? 'result' : 'params'}`, name);
  const validators = new Map<string, ValidateFunction>();

  /** The problems of the parameters or the result of a method; undefined for one that is not in the schema. */
  return (method: string, part: 'params' | 'result', value: unknown): readonly string[] | undefined => {
    const name = names.get(`${method} ${part}`);
    if (name === undefined) return undefined;
    const validate = validators.get(name) ?? ajv.compile({$ref: `acp#/$defs/${name}`});
    validators.set(name, validate);
    if (validate(value)) return [];
    return [`${method} ${part}: ${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`];
  };
}

/** Returns the problems of all messages, and the methods that the schema does not have. */
export function problemsOf(version: 1 | 2, messages: readonly WireMessage[]): readonly string[] {
  const check = checkOf(version);
  const asked = new Map<string, string>();
  return messages.flatMap(({from, message}) => {
    const {id, method, params, result, error} = message;
    if (typeof method === 'string') {
      if (id !== undefined) asked.set(`${from} ${JSON.stringify(id)}`, method);
      return check(method, 'params', params) ?? [`${method} is not in the schema`];
    }
    const by = from === 'agent' ? 'client' : 'agent';
    const answered = asked.get(`${by} ${JSON.stringify(id)}`);
    if (answered === undefined) return [`${from} answers ${JSON.stringify(id)}, which was not asked`];
    if (error !== undefined) return [];
    return check(answered, 'result', result) ?? [`the result of ${answered} is not in the schema`];
  });
}

/** Version 2 lets other kinds through: those of our own must be its own. */
const OPEN: readonly (readonly [field: string, definition: string])[] = [
  ['sessionUpdate', 'SessionUpdate'],
  ['state', 'StateUpdate'],
];

/** Returns the kinds in updates that are not in the schema. */
export function unknownKinds(version: 1 | 2, messages: readonly WireMessage[]): readonly string[] {
  const known = JSON.stringify(OPEN.map(([, definition]) => schemaOf(version).$defs[definition]));
  const updates = messages
    .map(({message: {params}}) => (isJsonObject(params) ? params['update'] : undefined))
    .filter(isJsonObject);
  return OPEN.flatMap(([field]) => updates.map((update) => update[field]))
    .filter((kind) => typeof kind === 'string')
    .filter((kind) => !known.includes(`"const":"${kind}"`));
}
