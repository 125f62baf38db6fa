import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {readSection} from './read-section.ts';
import {refuse, type Section} from './section.ts';

/** The schema of a mapping of which only the keys are known here. */
export function asMapping(keys: readonly string[]) {
	const anything = z.unknown().optional();
	return z.strictObject(Object.fromEntries(keys.map(key => [key, anything])));
}

/**
The known members of a mapping with any value: what stands below is read on its own, so that one bad part stops no other (docs/configuration.md, How values are read).
Nothing is an empty mapping; anything else is told about and counts as empty.
*/
export function readMapping(
	schema: ReturnType<typeof asMapping>,
	written: unknown,
	section: Section,
): Readonly<Record<string, unknown>> {
	if (written === undefined || written === null) {
		return {};
	}

	if (!isJsonObject(written)) {
		refuse(section, [], `found no mapping, allowed: a mapping with ${Object.keys(schema.shape).join(', ')}`);
		return {};
	}

	const reading = readSection(schema, written, section);
	return reading.kind === 'read' ? reading.value : {};
}
