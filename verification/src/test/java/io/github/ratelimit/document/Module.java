package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Module of the build, read from its POM.
 */
final class Module {

	private static final Path ROOT = Path.of("..");

	private final String folder;

	private final Element pom;

	private Module(String folder) throws IOException {
		this.folder = folder;
		this.pom = parse(ROOT.resolve(folder).resolve("pom.xml"));
	}

	/**
	 * Return the modules that the root lists, those of profiles included.
	 */
	static List<Module> all() throws IOException {
		List<Module> modules = new ArrayList<>();
		for (String folder : of(".").elements("module").map(Node::getTextContent).toList()) {
			modules.add(of(folder));
		}
		return modules;
	}

	static Module of(String folder) throws IOException {
		return new Module(folder);
	}

	String folder() {
		return this.folder;
	}

	String description() {
		return text(this.pom, "description");
	}

	boolean isPublished() {
		return this.folder.startsWith("ratelimit-");
	}

	/**
	 * Return whether the module is published with a jar, as all but the BOM are.
	 */
	boolean isJar() {
		return isPublished() && !this.folder.equals("ratelimit-bom");
	}

	/**
	 * Return whether the Javadoc jar of the module is empty.
	 */
	boolean hasEmptyJavadoc() {
		return elements("empty-javadoc.phase").findAny().isPresent();
	}

	/**
	 * Return the artifacts that every user of the module gets.
	 */
	Set<String> needed() {
		return dependencies(true);
	}

	/**
	 * Return the artifacts that the module uses if the application has them.
	 */
	Set<String> used() {
		return dependencies(false);
	}

	/**
	 * Return the artifacts, with their groups, of which the module has the oldest version
	 * that is supported.
	 */
	Set<String> oldest() {
		return Stream.of("dependency", "path")
			.flatMap(this::elements)
			.filter((artifact) -> text(artifact, "version").endsWith(".floor}"))
			.map((artifact) -> text(artifact, "groupId") + ':' + text(artifact, "artifactId"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Return the artifacts whose versions the module manages.
	 */
	Set<String> managed() {
		return elements("dependencyManagement").flatMap((management) -> elements("dependency"))
			.map((dependency) -> text(dependency, "artifactId"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Return the texts of the elements of a name that configure a plugin.
	 * @param plugin the artifact of the plugin
	 * @param name the name of the elements
	 */
	List<String> texts(String plugin, String name) {
		return elements("plugin").filter((element) -> text(element, "artifactId").equals(plugin))
			.flatMap((element) -> all(element, name))
			.map((element) -> element.getTextContent().strip())
			.toList();
	}

	private Set<String> dependencies(boolean needed) {
		Set<String> found = new TreeSet<>();
		elements("dependency").filter((dependency) -> dependency.getParentNode().getParentNode() == this.pom)
			.filter((dependency) -> !text(dependency, "scope").equals("test"))
			.filter((dependency) -> needed == (text(dependency, "optional").isEmpty()
					&& text(dependency, "scope").isEmpty()))
			.forEach((dependency) -> found.add(text(dependency, "artifactId")));
		return found;
	}

	private Stream<Element> elements(String name) {
		return all(this.pom, name);
	}

	private static Stream<Element> all(Element parent, String name) {
		NodeList found = parent.getElementsByTagName(name);
		return IntStream.range(0, found.getLength()).mapToObj((index) -> (Element) found.item(index));
	}

	/**
	 * Return the text of a child, or the empty text if there is none.
	 */
	private static String text(Element parent, String name) {
		for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
			if (child.getNodeName().equals(name)) {
				return child.getTextContent().strip();
			}
		}
		return "";
	}

	private static Element parse(Path file) throws IOException {
		try {
			return DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(Files.newInputStream(file))
				.getDocumentElement();
		}
		catch (ParserConfigurationException | SAXException ex) {
			throw new IOException(file.toString(), ex);
		}
	}

}
