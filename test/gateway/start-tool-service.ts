import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {type CommandTargets} from '../../source/gateway/command-handlers/command-targets.ts';
import {createConsoleRehearsal} from '../../source/gateway/rehearsals.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {createTestRuntime, openTools} from '../helpers/gateway-parts.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** The entry of a fixture that runs as a child. */
export function stdioEntry(file: string, ...args: string[]) {
	return {command: process.execPath, args: fixtureArguments(file, ...args)};
}

/** Writes the servers of a state directory; JSON is YAML too. */
export function writeServers(home: string, servers: object): void {
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
}

/** Opens the tool service of a state directory as a gateway does; it stops with the test. */
export async function startToolService(home: string) {
	const recorded = recordEvents();
	const runtime = createTestRuntime(home);
	runtime.eventBus.listen(recorded.publish);
	const {context, service, close: stop} = await openTools(runtime);
	onTestFinished(stop);
	service.apply();
	await service.connections.settled(neverAborted());
	return {
		...service,
		context,
		recorded,
		paths: context.paths,
		stop,
		/** Reads the file again and applies it. */
		reload: async () => {
			await context.reload();
			const summary = service.apply();
			await service.connections.settled(neverAborted());
			return summary;
		},
		/** The last state of a server. */
		row: (server: string) => service.serverStatus.list().find(state => state.server === server),
	};
}

/** What the commands of a console act on, for those that are about tools. */
export function commandTargets(
	service: Pick<Awaited<ReturnType<typeof startToolService>>, 'context'> & CommandTargets['tools'],
): CommandTargets {
	return {
		context: service.context,
		tools: service,
		cron: undefined as never,
		proposals: undefined as never,
		events: undefined as never,
		hold: undefined as never,
		reload: async () => undefined,
		console: {
			name: 'console:1',
			browser: 'gateway',
			rehearsal: createConsoleRehearsal(),
			proposalRehearsal: createConsoleRehearsal(),
			show: service.context.publish,
		},
	};
}
