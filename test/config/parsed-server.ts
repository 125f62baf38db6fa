import {sectionWithoutFile} from '../../source/config/values/section.ts';
import {parseServerEntry, type ServerConfig} from '../../source/config/servers/server-entry.ts';

/** The server that an entry becomes, and the lines about it. */
export function parse(entry: unknown) {
	const section = sectionWithoutFile('entry', {kind: 'server', name: 'one'});
	const parsed = parseServerEntry('one', entry, section);
	return {parsed, problems: section.problems.all().map(problem => `${problem.level}: ${problem.message}`)};
}

/** The server of an entry with a command. */
export function server(entry: Record<string, unknown>): ServerConfig {
	const {parsed} = parse({command: 'x', ...entry});
	if (parsed.kind === 'broken') {
		throw parsed.problem;
	}

	return parsed.server;
}

/** The transport of an entry with an address. */
export function remote(entry: Record<string, unknown>) {
	const {transport} = server({command: undefined, url: 'http://127.0.0.1/mcp', ...entry});
	if (transport.kind === 'stdio') {
		throw new Error('a remote server was expected');
	}

	return transport;
}
