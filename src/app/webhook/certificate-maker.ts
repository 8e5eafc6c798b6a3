import { text } from "node:stream/consumers";
import { createServingCertificate, type ServingRequest } from "./serving-certificate.ts";

/** A program that is given a request and answers with the certificate. */
const request = JSON.parse(await text(process.stdin)) as ServingRequest; // whoever starts it writes exactly this
process.stdout.write(JSON.stringify(await createServingCertificate(request)));
