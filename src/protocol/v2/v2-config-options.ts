import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** Returns config options of version 2 as version 1 has them; what is malformed stays. */
export function optionsOfVersion1(options: unknown): unknown {
  return withNames(options, ['configId', 'id'], ['groupId', 'group']);
}

export function optionsOfVersion2(options: unknown): unknown {
  return withNames(options, ['id', 'configId'], ['group', 'groupId']);
}

type NewName = readonly [name: string, newName: string];

/** Renames the ids of options and of their groups. */
function withNames(options: unknown, id: NewName, group: NewName): unknown {
  return mapObjects(options, (option) => ({
    ...renamed(option, id),
    ...('options' in option && {options: mapObjects(option['options'], (choice) => renamed(choice, group))}),
  }));
}

function renamed(object: JsonObject, [name, newName]: NewName): JsonObject {
  const {[name]: value, ...others} = object;
  return value === undefined ? object : {...others, [newName]: value};
}

/** Converts the objects of a list. */
export function mapObjects(list: unknown, convert: (item: JsonObject) => JsonObject): unknown {
  return Array.isArray(list)
    ? list.map((item: unknown) => (isJsonObject(item) ? convert(item) : item))
    : list;
}
