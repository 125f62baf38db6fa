import {type ApprovalEndJson, type WholeApprovalJson} from '../state/json/approval.ts';
import {z} from 'zod';
import {type ApprovalOutcome} from '../approvals/approval-state.ts';
import {type ApprovalRequest, approvalScopes, offeredScopes, type WholeRequest} from '../state/approval-event.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {originToJson} from './history-wire.ts';
import {reviewHash} from './review-hash.ts';
import {approvalJson} from './wire.ts';

/** A waiting request with nothing cut out of it, as `approvals allow` prints it. Secrets are masked. */
export const wholeApprovalJson = approvalJson.extend({
	/** The hash that an answer has to carry. */
	review_hash: z.string().optional(),
	trust: z.enum(['full', 'untrusted']),
	/** Claims of the server about its tool. */
	hints: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
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
});

/** A waiting request for a person at a command line. */
export function wholeApprovalToJson(request: ApprovalRequest, whole: WholeRequest | undefined): WholeApprovalJson {
	const shown = {...request, ...whole};
	const {payloadPaths = [], trust, hints, definitionChange} = request;
	return {
		id: request.id,
		kind: request.kind,
		server: request.server,
		tool: shown.tool,
		arguments: shown.arguments,
		arguments_hash: request.argumentsHash,
		origin: originToJson(request.origin),
		...(request.node !== undefined && {node: request.node}),
		requested_at: request.requestedAt,
		expires_at: request.expiresAt,
		sent_bytes: shown.sentBytes,
		cut_bytes: shown.cutBytes,
		masked_values: shown.maskedValues,
		marked_characters: request.markedCharacters,
		review_hash: reviewHash(request),
		trust,
		hints: {...hints},
		description: shown.description,
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
