import {type ApprovalEndJson, type ApprovalJson, type FullApprovalJson} from '../state/json/approval.ts';
import {z} from 'zod';
import {type ApprovalOutcome} from '../approvals/approval-state.ts';
import {type ApprovalRequest, approvalScopes, offeredScopes, type FullRequest} from '../state/approval-event.ts';
import {approvalFields} from '../state/entities/approval.ts';
import {jsonObject, rowToJson} from './entity-json.ts';
import {originToJson} from './history-wire.ts';
import {reviewHash} from './review-hash.ts';
import {approvalJson} from './wire.ts';

/** A waiting request with nothing cut out of it, as `approvals allow` prints it. Secrets are masked. */
export const fullApprovalJson = approvalJson.extend({
	/** The hash that an answer has to carry. */
	review_hash: z.string().optional(),
	trust: z.enum(['full', 'untrusted']),
	/** Claims of the server about its tool. */
	hints: jsonObject,
	/** The server's own words. */
	description: z.string(),
	/** The difference of the definition from the remembered one. */
	definition_change: z.string().nullable(),
	/** Paths of the values that the untrusted payload has word for word. */
	payload_paths: z.array(z.string()),
	/** The rule that asks, in words. */
	rule: z.string().nullable(),
	/** Scopes that an approval may have. */
	scopes: z.array(z.enum(approvalScopes)),
});

/** The end of a request: outcome, scope, and the one who decided. */
export const approvalEndJson = z.object({
	outcome: z.enum(['approved', 'denied', 'timed_out', 'no_channel', 'cancelled']),
	scope: z.string().nullable(),
	by: z.string().nullable(),
	message: z.string().nullable(),
});

/** The outcome of an answer. `end` is the end that the request had before, or that of a call that was allowed and not sent; null when the gateway does not know it. */
export const answeredJson = z.object({
	answer: z.enum(['resolved', 'already-settled', 'changed', 'not-offered']),
	end: approvalEndJson.nullable().default(null),
	call: z.literal('waiting').optional(),
});

/** A row of `approvals list`. */
export function approvalToJson(request: ApprovalRequest): ApprovalJson {
	return rowToJson(approvalFields, request, {origin: originToJson(request.origin)});
}

/** A waiting request for a person at a command line. */
export function fullApprovalToJson(request: ApprovalRequest, whole: FullRequest | undefined): FullApprovalJson {
	const {payloadPaths = [], trust, hints, definitionChange} = request;
	return {
		...approvalToJson({...request, ...whole}),
		review_hash: reviewHash(request),
		trust,
		hints: {...hints},
		description: (whole ?? request).description,
		definition_change: definitionChange ?? null,
		payload_paths: [...payloadPaths],
		rule: request.rule?.words ?? null,
		scopes: [...offeredScopes(request)],
	};
}

/** The end of a request as JSON. */
export function approvalEndToJson(outcome: ApprovalOutcome): ApprovalEndJson {
	return {
		outcome: outcome.kind,
		scope: 'scope' in outcome ? outcome.scope : null,
		by: 'by' in outcome ? outcome.by : null,
		message: 'message' in outcome ? (outcome.message ?? null) : null,
	};
}
