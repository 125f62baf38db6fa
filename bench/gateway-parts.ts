import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type ToolService} from '../source/gateway/services/tool-service.ts';
import {type Journal} from '../source/journal/journal.ts';
import {openLogFile} from '../source/journal/log-file.ts';
import {type EventBus} from '../source/state/event-bus.ts';
import {createStore} from '../source/state/store.ts';
import {systemClock} from '../source/util/clock.ts';
import {createTestRuntime, openTools} from '../test/helpers/gateway-parts.ts';

/** The tool service of a gateway on a throw-away state directory: journal and log on the disk, secrets masked, and a store that listens as the dashboard's does. */
export async function startToolService(
	servers: object,
	rules: readonly object[] = [],
): Promise<{
	readonly service: ToolService;
	readonly journal: Journal;
	readonly eventBus: EventBus;
	readonly close: () => Promise<void>;
}> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, approvals: {rules}}));
	const runtime = createTestRuntime(home);
	const {eventBus} = runtime;
	const store = createStore({clock: systemClock, isBlocked: () => false});
	eventBus.listen(store.publish);
	const {context, service, journal, close} = await openTools(runtime);
	const log = await openLogFile({clock: systemClock, path: join(context.paths.logs, 'sluice.log')});
	eventBus.listen(log.write);
	return {
		service,
		journal,
		eventBus,
		async close() {
			await close();
			await log.close();
			store.close();
			rmSync(home, {recursive: true, force: true});
		},
	};
}
