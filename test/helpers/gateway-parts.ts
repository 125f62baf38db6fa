import {defaultProfile, statePaths} from '../../source/config/read/state-paths.ts';
import {openHold} from '../../source/gateway/stores/hold-store.ts';
import {type OpenProfile, loadOpenProfile} from '../../source/gateway/documents/open-profile.ts';
import {type RuntimeContext} from '../../source/gateway/profiles/profile-context.ts';
import {
	openToolService,
	type ToolService,
	type ToolServiceOptions,
} from '../../source/gateway/services/tool-service.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {openJournal} from '../../source/journal/open-journal.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {redactTexts} from '../../source/util/redact-texts.ts';

/** The parts that a gateway of this process is built on, with `home` as its state directory. It sees PATH and none of the other variables of the machine. */
export function createTestRuntime(
	home: string,
	{
		clock = systemClock,
		variables = {},
	}: {readonly clock?: Clock; readonly variables?: Readonly<Record<string, string>>} = {},
): RuntimeContext {
	const redactor = createRedactor();
	return {
		paths: statePaths({root: home, profile: defaultProfile, runtimeDirectory: home}),
		environment: {
			variables: {PATH: process.env['PATH'] ?? '', ...variables},
			home,
			runtimeDirectory: home,
			workingDirectory: home,
			noColor: true,
		},
		clock,
		eventBus: createEventBus({clock, redact: event => redactTexts(event, redactor.redact)}),
		redactor,
		version: '0.0.0',
	};
}

/** The tool service of a gateway without the rest of it. It has started no server yet. */
export async function openTools(
	runtime: RuntimeContext,
	options?: Partial<ToolServiceOptions>,
): Promise<{
	readonly context: OpenProfile;
	readonly journal: Journal;
	readonly service: ToolService;
	readonly close: () => Promise<void>;
}> {
	const context = await loadOpenProfile(runtime);
	const {paths, clock, current} = context;
	const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
	const service = openToolService(context, journal, {hold: openHold([context]), ...options});
	return {
		context,
		journal,
		service,
		async close() {
			await service.stop();
			await journal.close();
		},
	};
}
