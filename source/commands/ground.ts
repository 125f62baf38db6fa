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
