import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** Returns the names of the skills among the commands. */
export function skillNames(available: unknown): ReadonlySet<string> {
  const skills = (Array.isArray(available) ? available : []).filter(
    (command) => isJsonObject(command) && command['type'] === 'skill' && typeof command['name'] === 'string',
  );
  return new Set(skills.map(({name}: {readonly name: string}) => name));
}

/** Returns the blocks of a prompt; one that begins with the name of a skill, as a command, begins with a block that names it. */
export function withSkill(prompt: unknown, skills: ReadonlySet<string>): unknown {
  if (!Array.isArray(prompt)) return prompt;
  const [first, ...others] = prompt as readonly unknown[];
  const text = isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : '';
  const [start = '', name = ''] = /^\/(\S+)\s*/.exec(text) ?? [];
  if (!skills.has(name)) return prompt;
  const rest = text.slice(start.length);
  return [{type: 'skill', name}, ...(rest === '' ? [] : [{...(first as JsonObject), text: rest}]), ...others];
}

/** Returns a content block; one that names a skill as it is typed. */
export function asTyped(block: unknown): unknown {
  if (!isJsonObject(block) || block['type'] !== 'skill' || typeof block['name'] !== 'string') return block;
  return {type: 'text', text: `/${block['name']} `};
}
