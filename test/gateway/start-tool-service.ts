import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {statePaths} from '../../source/config/read/state-paths.ts';
import {loadProfile} from '../../source/gateway/profiles/profile-context.ts';
import {openToolService} from '../../source/gateway/tool-service.ts';
import {openJournal} from '../../source/journal/journal.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {redactTexts} from '../../source/util/redact-texts.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** The entry of a fixture that runs as a child. */
export function stdioEntry(file: string, ...args: string[]) {
	return {command: process.execPath, args: [join(import.meta.dirname, '..', 'fixtures', file), ...args]};
}

/** Writes the servers of a state directory; JSON is YAML too. */
export function writeServers(home: string, servers: object): void {
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
}

/** Opens the tool service of a state directory as a gateway does; it stops with the test. */
export async function startToolService(home: string) {
	const recorded = recordEvents();
	const redactor = createRedactor();
	const eventBus = createEventBus({clock: systemClock, redact: event => redactTexts(event, redactor.redact)});
	eventBus.listen(recorded.publish);
	const context = await loadProfile({
		paths: statePaths({root: home, profile: 'default'}),
		environment: {
			variables: {PATH: process.env['PATH'] ?? ''},
			home,
			runtimeDirectory: home,
			workingDirectory: home,
			noColor: true,
		},
		clock: systemClock,
		eventBus,
		redactor,
		version: '0.0.0',
	});
	const {paths, current} = context;
	const journal = openJournal({path: paths.journal, clock: systemClock, limits: () => current().config.journal});
	const service = openToolService(context, journal);
	const stop = async () => {
		await service.stop();
		await journal.close();
	};

	onTestFinished(stop);
	service.apply();
	await service.connections.settled(neverAborted());
	return {
		...service,
		context,
		recorded,
		paths,
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
