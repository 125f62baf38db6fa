import * as z from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {type ErrorAnswer, saysSessionIsGone} from './session-expiry.ts';

const rpcErrorBodySchema = z.object({error: z.object({code: z.number(), message: z.string()})});

/** What the body of an HTTP error says: the error of the protocol in it, or its text as it is. */
export function errorAnswer(httpStatus: number, text: string): ErrorAnswer {
	const error = rpcErrorBodySchema.safeParse(parseJson(text)).data?.error;
	return error ? {httpStatus, rpcCode: error.code, message: error.message} : {httpStatus, message: text};
}

/** Whether an HTTP error says in words that the session is unknown. Reads its body; never rejects. */
export async function refusesSession(answer: Response): Promise<boolean> {
	return saysSessionIsGone(errorAnswer(answer.status, await answer.text().catch(() => '')));
}
