import {type Environment, readEnvironment} from '../../config/read/environment.ts';
import {defaultProfile, type StatePaths, statePaths, stateRoot} from '../../config/read/state-paths.ts';
import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {createEventBus} from '../../state/event-bus.ts';
import {type Clock, systemClock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {createRedactor} from '../../util/redact.ts';
import {type OnSignal, openStopSignals} from './stop-signals.ts';

/** Flags that concern the whole program (docs/cli.md, Conventions). */
export type GlobalFlags = {
	readonly profile?: string;
	readonly home?: string;
	readonly demo: boolean;
	readonly dashboard: 'allowed' | 'never';
	/** `numbered`: asks by numbered questions on a terminal without a dashboard. */
	readonly questions?: 'numbered';
	readonly readOnly: boolean;
	readonly ascii: boolean;
	/** Makes a new journal where the one that the state directory knew is empty. */
	readonly newJournal?: boolean;
};

/** Flags, environment, paths, clock and streams of this start of the program. */
export type Session = {
	readonly flags: GlobalFlags;
	readonly environment: Environment;
	readonly paths: StatePaths;
	readonly clock: Clock;
	readonly version: string;
	readonly onSignal: OnSignal;
};

/** Finds the state directory: `--home`, else `$SLUICE_HOME`, else `~/.sluice` (docs/configuration.md, State directory). */
export function openSession(flags: GlobalFlags, version: string): Session {
	if (flags.home === '' || flags.profile === '') {
		throw new Problem('bad_usage', {message: '--home and --profile need a value'});
	}

	const environment = readEnvironment();
	const root = stateRoot(environment, flags.home);
	const {runtimeDirectory} = environment;
	const paths = statePaths({root, profile: flags.profile ?? defaultProfile, runtimeDirectory});
	return {flags, environment, paths, clock: systemClock, version, onSignal: openStopSignals(systemClock)};
}

/** Creates the parts that a gateway shares; its event bus removes known secrets. */
export function createRuntime(session: Session): RuntimeContext {
	const redactor = createRedactor();
	const eventBus = createEventBus({clock: session.clock, redact: event => redactTexts(event, redactor.redact)});
	return {...session, eventBus, redactor};
}

/** The same for a command without a dashboard or a log: warnings about the configuration go to stderr. */
export function createCliRuntime(session: Session): RuntimeContext {
	const runtime = createRuntime(session);
	runtime.eventBus.listen(event => {
		// The command reports errors itself, in its listing or as its failure.
		if (event.type === 'log' && event.area === 'config' && event.level === 'warning') {
			process.stderr.write(`sluice: ${event.text}\n`);
		}
	});
	return runtime;
}
