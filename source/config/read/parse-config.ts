import {sectionNames} from './config-schema.ts';
import {type GatewayConfig} from './gateway-config.ts';
import {parseGateway} from './gateway-section.ts';
import {parsePlatforms} from '../platforms/platforms.ts';
import {asMapping, readMapping} from '../values/read-mapping.ts';
import {type Section, subsection} from '../values/section.ts';
import {parseServers} from '../servers/server-entries.ts';
import {parseApprovals, parseJournal, parseMetrics, parseRunSections} from './settings.ts';

const rootMapping = asMapping(sectionNames);

/** Turns the value of a configuration file into exact types. `section` stands at the root; all problems are in its list. */
export function parseConfig(
	written: unknown,
	context: {readonly section: Section; readonly variables: (name: string) => string | undefined},
): GatewayConfig {
	const {section, variables} = context;
	const root = readMapping(rootMapping, written, section);
	const at = (key: string) => subsection(section, [key]);
	const servers = parseServers(root['mcp_servers'], at('mcp_servers'));
	const config = {
		servers: servers.flatMap(one => (one.kind === 'server' ? [one.server] : [])),
		brokenServers: servers.flatMap(one => (one.kind === 'broken' ? [{name: one.name, problem: one.problem}] : [])),
		...parsePlatforms(root['platforms'], {section: at('platforms'), variables}),
		approvals: parseApprovals(root['approvals'], at('approvals')),
		...parseRunSections(root, section),
		journal: parseJournal(root['journal'], at('journal')),
		gateway: parseGateway(root['gateway'], at('gateway')),
		metrics: parseMetrics(root['metrics'], at('metrics')),
	};
	return {...config, problems: section.problems.all()};
}
