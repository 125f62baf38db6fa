import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {createEventBus} from '../../state/event-bus.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {createRedactor} from '../../util/redact.ts';
import {type Session} from './session.ts';

/** What every part of a gateway shares; its event bus lets no known secret pass. */
export function createRuntime(session: Session): RuntimeContext {
	const redactor = createRedactor();
	const eventBus = createEventBus({clock: session.clock, redact: event => redactTexts(event, redactor.redact)});
	return {...session, eventBus, redactor};
}

/** The same for a command without a window or a log: warnings about the configuration go to stderr. */
export function createCliRuntime(session: Session): RuntimeContext {
	const runtime = createRuntime(session);
	runtime.eventBus.listen(event => {
		// Errors are told by the command itself, in its listing or as its failure.
		if (event.type === 'log' && event.area === 'config' && event.level === 'warning') {
			process.stderr.write(`sluice: ${event.text}\n`);
		}
	});
	return runtime;
}
