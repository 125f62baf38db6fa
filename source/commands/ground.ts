import {type Ground} from '../gateway/foundation.ts';
import {createHall} from '../state/hall.ts';
import {cleanTexts} from '../util/clean-texts.ts';
import {createRedactor} from '../util/redact.ts';
import {type Session} from './session.ts';

/** The ground a gateway stands on: its hall lets no known secret pass. */
export function openGround(session: Session): Ground {
	const redactor = createRedactor();
	const hall = createHall({clock: session.clock, clean: event => cleanTexts(event, redactor.clean)});
	return {...session, hall, redactor};
}

/** The same for a command without a window or a log: warnings about the configuration go to stderr. */
export function openTalkingGround(session: Session): Ground {
	const ground = openGround(session);
	ground.hall.listen(event => {
		// Errors are told by the command itself, in its listing or as its failure.
		if (event.type === 'log' && event.area === 'config' && event.level === 'warning') {
			process.stderr.write(`sluice: ${event.text}\n`);
		}
	});
	return ground;
}
