import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {statePaths} from '../source/config/read/state-paths.ts';
import {loadProfile} from '../source/gateway/profiles/profile-context.ts';
import {openToolService, type ToolService} from '../source/gateway/tool-service.ts';
import {type Journal, openJournal} from '../source/journal/journal.ts';
import {openLogFile} from '../source/journal/log-file.ts';
import {createEventBus, type EventBus, historyOnly} from '../source/state/event-bus.ts';
import {createStore} from '../source/state/store.ts';
import {redactTexts} from '../source/util/redact-texts.ts';
import {systemClock} from '../source/util/clock.ts';
import {createRedactor} from '../source/util/redact.ts';

/** The tool service of a gateway on a throw-away state directory: journal and log on the disk, secrets masked, and a store that listens as the dashboard's does. */
export async function startToolService(servers: object): Promise<{
	readonly service: ToolService;
	readonly journal: Journal;
	readonly eventBus: EventBus;
	readonly close: () => Promise<void>;
}> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers}));
	const redactor = createRedactor();
	const eventBus = createEventBus({clock: systemClock, redact: event => redactTexts(event, redactor.redact)});
	const store = createStore({clock: systemClock, hold: () => false});
	eventBus.listen(store.publish);
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
	const log = openLogFile({clock: systemClock, path: join(paths.logs, 'sluice.log')});
	eventBus.listen(historyOnly(log.write));
	const journal = openJournal({path: paths.journal, clock: systemClock, limits: () => current().config.journal});
	const service = openToolService(context, journal);
	return {
		service,
		journal,
		eventBus,
		async close() {
			await service.stop();
			await journal.close();
			await log.close();
			store.close();
			rmSync(home, {recursive: true, force: true});
		},
	};
}
