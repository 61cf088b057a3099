package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * Self-signed certificate for {@code localhost} and {@code 127.0.0.1} with its private
 * key, as PEM files. Clients may trust it, and may present it as their own.
 *
 * @param certificate the file of the certificate
 * @param privateKey the file of its private key, not encrypted
 */
public record TlsCertificate(Path certificate, Path privateKey) {

	private static final String PASSWORD = "changeit";

	private static final String ALIAS = "redis";

	/**
	 * Create a certificate with the keytool of this JDK, since it has no API for that.
	 * @param directory where to write the two files; the caller removes it
	 * @return a certificate that is valid for a day
	 * @throws UncheckedIOException if it cannot be created
	 */
	public static TlsCertificate createIn(Path directory) {
		Path keyStore = directory.resolve("redis.p12");
		try {
			generate(keyStore);
			KeyStore keys = KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
			return new TlsCertificate(
					writePem(directory.resolve("redis.crt"), "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
					writePem(directory.resolve("redis.key"), "PRIVATE KEY",
							keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
		}
		catch (GeneralSecurityException ex) {
			throw new UncheckedIOException(new IOException("Cannot read " + keyStore, ex));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot make a certificate in " + directory, ex);
		}
	}

	private static void generate(Path keyStore) throws IOException {
		String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		EndedProgram.outputOf(keytool, "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1",
				"-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1", "-startdate", "-1H", "-validity",
				"1", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", keyStore.toString());
	}

	private static Path writePem(Path file, String type, byte[] content) throws IOException {
		String base64 = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return Files.writeString(file, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(type, base64));
	}

}
