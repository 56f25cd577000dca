import assert from "node:assert";
import { test } from "node:test";

const sum = (/** @type {number[]} */ ...numbers) => numbers.length;

// Fails on purpose: this is the test that keeps the agent going.
test("sum adds", () => assert.equal(sum(2, 3), 5));
