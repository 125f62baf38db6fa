import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {statePaths} from '../../source/config/state-paths.ts';
import {layFoundation} from '../../source/gateway/foundation.ts';
import {openToolWing} from '../../source/gateway/tool-wing.ts';
import {openJournal} from '../../source/journal/journal.ts';
import {createHall} from '../../source/state/hall.ts';
import {cleanTexts} from '../../source/util/clean-texts.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** The entry of a fixture that runs as a child. */
export function stdioEntry(file: string, ...args: string[]) {
	return {command: process.execPath, args: [join(import.meta.dirname, '..', 'fixtures', file), ...args]};
}

/** Writes the servers of a state directory; JSON is YAML too. */
export function writeServers(home: string, servers: object): void {
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
}

/** Opens the tool wing of a state directory as a gateway does; it stops with the test. */
export async function openWing(home: string) {
	const recorded = recordEvents();
	const redactor = createRedactor();
	const hall = createHall({clock: systemClock, clean: event => cleanTexts(event, redactor.clean)});
	hall.listen(recorded.publish);
	const foundation = await layFoundation({
		paths: statePaths({root: home, profile: 'default'}),
		environment: {
			variables: {PATH: process.env['PATH'] ?? ''},
			home,
			runtimeDirectory: home,
			workingDirectory: home,
			noColor: true,
		},
		clock: systemClock,
		hall,
		redactor,
		version: '0.0.0',
	});
	const {paths, current} = foundation;
	const journal = openJournal({path: paths.journal, clock: systemClock, limits: () => current().config.journal});
	const wing = openToolWing(foundation, journal);
	const stop = async () => {
		await wing.stop();
		await journal.close();
	};

	onTestFinished(stop);
	wing.apply();
	await wing.connections.settled(new AbortController().signal);
	return {
		...wing,
		foundation,
		recorded,
		paths,
		stop,
		/** Reads the file again and applies it. */
		reload: async () => {
			await foundation.reload();
			const summary = wing.apply();
			await wing.connections.settled(new AbortController().signal);
			return summary;
		},
		/** The last state of a server. */
		row: (server: string) => wing.board.list().find(state => state.server === server),
	};
}
