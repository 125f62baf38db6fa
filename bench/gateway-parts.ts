import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {statePaths} from '../source/config/state-paths.ts';
import {layFoundation} from '../source/gateway/foundation.ts';
import {openToolWing, type ToolWing} from '../source/gateway/tool-wing.ts';
import {type Journal, openJournal} from '../source/journal/journal.ts';
import {openLogFile} from '../source/journal/log-file.ts';
import {createHall, type Hall} from '../source/state/hall.ts';
import {historyOnly} from '../source/state/history.ts';
import {createStore} from '../source/state/store.ts';
import {cleanTexts} from '../source/util/clean-texts.ts';
import {systemClock} from '../source/util/clock.ts';
import {createRedactor} from '../source/util/redact.ts';

/** The tool wing of a gateway on a throw-away state directory: journal and log on the disk, secrets masked, and a store that listens as the dashboard's does. */
export async function openWing(servers: object): Promise<{
	readonly wing: ToolWing;
	readonly journal: Journal;
	readonly hall: Hall;
	readonly close: () => Promise<void>;
}> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
	const redactor = createRedactor();
	const hall = createHall({clock: systemClock, clean: event => cleanTexts(event, redactor.clean)});
	const store = createStore({clock: systemClock, hold: () => false});
	hall.listen(store.publish);
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
	const log = openLogFile({clock: systemClock, path: join(paths.logs, 'sluice.log')});
	hall.listen(historyOnly(log.write));
	const journal = openJournal({path: paths.journal, clock: systemClock, limits: () => current().config.journal});
	const wing = openToolWing(foundation, journal);
	return {
		wing,
		journal,
		hall,
		async close() {
			await wing.stop();
			await journal.close();
			await log.close();
			store.close();
			rmSync(home, {recursive: true, force: true});
		},
	};
}
