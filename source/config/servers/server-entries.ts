import {isJsonObject} from '../../util/json-text.ts';
import {isVisible, safeText} from '../../util/safe-text.ts';
import {type Section, subsection, warn} from '../values/section.ts';
import {parseServerEntry, type ParsedServer} from './server-entry.ts';

/** What became of one entry of `mcp_servers`. */
export type NamedServer = ParsedServer & {readonly name: string};

/** Reads `mcp_servers`, entries in the order of the file; what is no mapping counts as absent (docs/configuration.md, How values are read). `section` stands at the mapping. */
export function parseServers(written: unknown, section: Section): readonly NamedServer[] {
	if (written === undefined) {
		return [];
	}

	if (!isJsonObject(written)) {
		warn(section, [], 'found no mapping, allowed: a mapping of server names to servers; it is ignored');
		return [];
	}

	return Object.entries(written).flatMap(([name, entry]) => parseNamed(name, entry, section));
}

function parseNamed(name: string, entry: unknown, section: Section): readonly NamedServer[] {
	// A name that cannot be shown is broken, and told of in a form that can.
	const shown = isVisible(name) ? name : safeText(name, {maximumCharacters: 100});
	const place = subsection(section, [name], {kind: 'server', name: shown});
	if (entry === null) {
		warn(place, [], 'found nothing, allowed: a mapping with `command` or `url`; the server is ignored');
		return [];
	}

	return [{name: shown, ...parseServerEntry(name, entry, place)}];
}
