import {createHash} from 'node:crypto';

/** Several providers take no longer names. */
const longestNameCharacters = 64;
const hashCharacters = 8;

/** The name under which a model knows a tool: the registered one, or its beginning with a hash when that is too long (docs/tool-servers.md, Results). Pure. */
export function modelToolName(registeredName: string): string {
	if (registeredName.length <= longestNameCharacters) {
		return registeredName;
	}

	const hash = createHash('sha256').update(registeredName).digest('hex').slice(0, hashCharacters);
	return `${registeredName.slice(0, longestNameCharacters - hashCharacters - 1)}_${hash}`;
}
